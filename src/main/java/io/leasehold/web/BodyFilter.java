package io.leasehold.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Behind authentication: bounds the body of every request, and refuses encodings other than plain
 * UTF-8 and text in the query that could not be stored.
 */
final class BodyFilter extends OncePerRequestFilter {

  private final WebProperties.Body limits;
  private final ProblemWriter problems;

  BodyFilter(WebProperties.Body limits, ProblemWriter problems) {
    this.limits = limits;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    BoundedRequest bounded;
    try {
      checkEncoding(request);
      checkQuery(request);
      bounded = new BoundedRequest(request, limit(request.getRequestURI()));
    } catch (Problem refusal) {
      problems.write(request, response, refusal);
      return;
    }
    chain.doFilter(bounded, new WholeAnswer(response));
  }

  private int limit(String path) {
    if (path.endsWith("/leases/batch")) {
      return limits.batch();
    }
    return path.contains("/fleet/imports") ? limits.imports() : limits.usual();
  }

  private static void checkEncoding(HttpServletRequest request) {
    String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw notSupported("Send the body without a Content-Encoding.");
    }
    String type = request.getContentType();
    if (type == null) {
      return;
    }
    try {
      Charset charset = MediaType.parseMediaType(type).getCharset();
      if (charset != null && charset != StandardCharsets.UTF_8) {
        throw notSupported("Send the body in UTF-8.");
      }
    } catch (IllegalArgumentException unreadable) {
      throw notSupported("The Content-Type is not a media type.");
    }
  }

  private static Map<String, String[]> parameters(HttpServletRequest request) {
    try {
      return request.getParameterMap();
    } catch (InvalidParameterException malformed) { // A value without a name, a wrong escape.
      throw ProblemHandler.rejected();
    }
  }

  /** A POST's form would be read as parameters, body and all: only the query counts here. */
  private static void checkQuery(HttpServletRequest request) {
    String type = request.getContentType();
    if (request.getQueryString() == null
        || type != null && type.startsWith("application/x-www-form-urlencoded")) {
      return;
    }
    for (Map.Entry<String, String[]> parameter : parameters(request).entrySet()) {
      boolean sound = Text.isSound(parameter.getKey());
      for (String value : parameter.getValue()) {
        sound &= Text.isSound(value);
      }
      if (!sound) {
        throw Problem.invalid(
            Problem.Fault.in(
                Text.isSound(parameter.getKey()) ? parameter.getKey() : "query",
                "unsound-text",
                "The query has no NUL and no half of a surrogate pair."));
      }
    }
  }

  private static Problem notSupported(String detail) {
    return Problem.of(415, "media-type-not-supported", "Media type not supported", detail);
  }
}
