package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The body of a request exactly as it was sent. */
public final class RawBody {

  private static final byte[] NOTHING = {};

  private RawBody() {}

  /** The bytes; empty without a body. Known once the body was read. */
  public static byte[] of(HttpServletRequest request) {
    Object bounded = request.getAttribute(BoundedRequest.class.getName());
    return bounded instanceof BoundedRequest b ? b.body() : NOTHING;
  }

  /** The text; null without a body. */
  public static @Nullable String text(HttpServletRequest request) {
    byte[] body = of(request);
    return body.length == 0 ? null : new String(body, StandardCharsets.UTF_8);
  }
}
