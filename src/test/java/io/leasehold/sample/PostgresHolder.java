package io.leasehold.sample;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that holds an embedded server until it is killed. */
final class PostgresHolder {

  private PostgresHolder() {}

  public static void main(String[] args) throws InterruptedException {
    EmbeddedPostgres server = EmbeddedPostgres.start(Path.of(args[0]));
    System.out.println("port " + server.port());
    new CountDownLatch(1).await();
  }
}
