package io.leasehold.web;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is counted while it is read, chunked or not, and kept as it was sent. It is
 * read when somebody asks for it, so a caller who may not do what he asks for costs no memory.
 */
final class BoundedRequest extends HttpServletRequestWrapper {

  private final int limit;
  private byte @Nullable [] body;

  BoundedRequest(HttpServletRequest request, int limit) {
    super(request);
    this.limit = limit;
    if (request.getContentLengthLong() > limit) {
      throw tooLarge();
    }
    request.setAttribute(BoundedRequest.class.getName(), this);
  }

  byte[] body() {
    if (body == null) {
      try {
        byte[] read = getRequest().getInputStream().readNBytes(limit + 1);
        if (read.length > limit) {
          throw tooLarge();
        }
        body = read;
      } catch (BadRequestException malformed) { // A chunk that is none.
        throw ProblemHandler.rejected();
      } catch (IOException cutOff) {
        throw new UncheckedIOException(cutOff);
      }
    }
    return body;
  }

  @Override
  public ServletInputStream getInputStream() {
    return new Replay(new ByteArrayInputStream(body()));
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
  }

  private Problem tooLarge() {
    return Problem.of(
        413,
        "body-too-large",
        "Body too large",
        "The body of this request is at most " + limit + " bytes; send less at a time.");
  }

  private static final class Replay extends ServletInputStream {

    private final ByteArrayInputStream bytes;

    Replay(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return bytes.read(into, offset, length);
    }

    @Override
    public int available() {
      return bytes.available();
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException(
          "The body is read by blocking; there is nothing to wait for.");
    }
  }
}
