package io.leasehold.web;

import jakarta.servlet.RequestDispatcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.http11.Http11InputBuffer;
import org.apache.tomcat.util.res.StringManager;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the container refuses before any filter sees it (a path it can not decode): a problem too.
 */
final class ContainerReport extends ErrorReportValve {

  private final JsonMapper json;

  ContainerReport(JsonMapper json) {
    this.json = json;
  }

  private static final String TOO_LARGE =
      StringManager.getManager(Http11InputBuffer.class)
          .getString("iib.requestheadertoolarge.error");

  /** The container itself says 400, and why in words only. */
  private static boolean isTooLarge(Request request) {
    return request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Exception cause
        && TOO_LARGE.equals(cause.getMessage());
  }

  @Override
  protected void report(Request request, Response response, Throwable cause) {
    if (response.getStatus() < 400 || response.getContentWritten() > 0 || response.isCommitted()) {
      return;
    }
    if (isTooLarge(request)) {
      response.setStatus(431);
    }
    String path = request.getRequestURI();
    Trace trace = Trace.of(request);
    byte[] body =
        json.writeValueAsBytes(
            ProblemBody.of(
                ContainerErrors.problem(response.getStatus()),
                path == null ? "" : path,
                trace.id()));
    try {
      response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
      response.setHeader(Trace.HEADER, trace.header());
      response.setContentLength(body.length);
      response.getReporter().write(new String(body, StandardCharsets.UTF_8));
      response.finishResponse();
    } catch (IOException | IllegalStateException gone) {
      getContainer().getLogger().debug("The reader of a refusal is gone", gone);
    }
  }
}
