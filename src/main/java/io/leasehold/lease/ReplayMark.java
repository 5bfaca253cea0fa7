package io.leasehold.lease;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** Says on the present response, be it a success or a refusal, that it was given before. */
final class ReplayMark {

  private ReplayMark() {}

  static void put() {
    if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request) {
      HttpServletResponse response = request.getResponse();
      if (response != null) {
        response.setHeader("Idempotency-Replayed", "true");
      }
    }
  }
}
