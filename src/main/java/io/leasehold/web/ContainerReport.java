package io.leasehold.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
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

  @Override
  protected void report(Request request, Response response, Throwable cause) {
    if (response.getStatus() < 400 || response.getContentWritten() > 0 || response.isCommitted()) {
      return;
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
