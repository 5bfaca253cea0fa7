package io.leasehold.web;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/**
 * JSON leaves in one piece: flushed before its end, a small answer would go out in chunks, each a
 * packet of its own, instead of once with its length. A stream of events is flushed as it grows.
 */
final class WholeAnswer extends HttpServletResponseWrapper {

  WholeAnswer(HttpServletResponse response) {
    super(response);
  }

  @Override
  public void flushBuffer() throws IOException {
    if (!isJson()) {
      super.flushBuffer();
    }
  }

  private boolean isJson() {
    String type = getContentType();
    return type != null && type.startsWith("application/") && type.contains("json");
  }
}
