package io.leasehold;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands between a client and a server, and can go silent: connections stay open and new ones are
 * taken, but no byte comes through, as with a host that froze or a network that drops packets.
 */
public final class TcpProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition thawed = lock.newCondition();
  private boolean silent;

  private TcpProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** In front of a port of this machine. */
  public static TcpProxy before(int target) {
    try {
      TcpProxy proxy =
          new TcpProxy(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), target);
      Thread.ofVirtual().start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  public void freeze() {
    lock.lock();
    silent = true;
    lock.unlock();
  }

  /** What was sent meanwhile comes through. */
  public void thaw() {
    lock.lock();
    silent = false;
    thawed.signalAll();
    lock.unlock();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        Thread.ofVirtual().start(() -> forward(client, server));
        Thread.ofVirtual().start(() -> forward(server, client));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void forward(Socket from, Socket to) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        awaitThaw();
        out.write(bytes, 0, read);
        out.flush();
      }
    } catch (IOException | InterruptedException over) {
      // One of the two went away.
    }
  }

  private void awaitThaw() throws InterruptedException {
    lock.lock();
    try {
      while (silent) {
        thawed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
