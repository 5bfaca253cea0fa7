package io.leasehold.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * First of all filters: gives the request its trace, in the log and in the answer, refuses headers
 * above 16 KiB, and turns whatever no one caught behind it into a problem.
 */
final class TraceFilter extends OncePerRequestFilter {

  private static final int MOST_HEADER_BYTES = 16 * 1024;

  private final ProblemWriter problems;

  TraceFilter(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Trace trace = Trace.continued(request.getHeader(Trace.HEADER));
    trace.keepIn(request);
    response.setHeader(Trace.HEADER, trace.header());
    MDC.put("traceId", trace.id());
    try {
      if (headerBytes(request) > MOST_HEADER_BYTES) {
        throw ContainerErrors.problem(431);
      }
      chain.doFilter(request, response);
    } catch (Problem problem) {
      problems.write(request, response, problem);
    } catch (ServletException | RuntimeException unexpected) {
      problems.writeUnexpected(request, response, unexpected);
    } finally {
      MDC.remove("traceId");
    }
  }

  private static int headerBytes(HttpServletRequest request) {
    int bytes = 0;
    for (Enumeration<String> names = request.getHeaderNames(); names.hasMoreElements(); ) {
      String name = names.nextElement();
      for (Enumeration<String> values = request.getHeaders(name); values.hasMoreElements(); ) {
        bytes += name.length() + values.nextElement().length() + 4;
      }
    }
    return bytes;
  }
}
