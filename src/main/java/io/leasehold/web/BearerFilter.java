package io.leasehold.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds the caller behind {@code Authorization: Bearer}. A request without the header goes on as
 * nobody's; one with a bad credential ends here.
 */
final class BearerFilter extends OncePerRequestFilter {

  private final Credentials credentials;
  private final RateLimits limits;
  private final ProblemWriter problems;

  BearerFilter(Credentials credentials, RateLimits limits, ProblemWriter problems) {
    this.credentials = credentials;
    this.limits = limits;
    this.problems = problems;
  }

  static Problem unauthenticated() {
    return Problem.of(
        401,
        "unauthenticated",
        "Unauthenticated",
        "Send Authorization: Bearer with an API key or a token that is valid now.");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String bearer = bearer(request.getHeader(HttpHeaders.AUTHORIZATION));
    if (bearer == null) {
      chain.doFilter(request, response);
      return;
    }
    Caller caller;
    RateLimits.Permit permit;
    try {
      caller = caller(bearer, request.getRemoteAddr());
      limits.admit(caller);
      permit = limits.enter(caller);
    } catch (Problem refusal) {
      problems.write(request, response, refusal);
      return;
    }
    try (permit) {
      serve(caller, request, response, chain);
    }
  }

  private static void serve(
      Caller caller, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    SecurityContext context = SecurityContextHolder.createEmptyContext();
    context.setAuthentication(new Authenticated(caller));
    SecurityContextHolder.setContext(context);
    try {
      chain.doFilter(request, response);
    } finally {
      SecurityContextHolder.clearContext();
    }
  }

  /** A known credential passes even while its address is full of failures. */
  private Caller caller(String bearer, String address) {
    Optional<Caller> known = credentials.known(bearer);
    if (known.isPresent()) {
      return known.get();
    }
    limits.admitAttempt(address);
    try {
      Optional<Caller> caller = credentials.check(bearer);
      if (caller.isEmpty()) {
        limits.failed(address);
      }
      return caller.orElseThrow(BearerFilter::unauthenticated);
    } catch (DataAccessException away) {
      throw Problem.of(
              503, "unavailable", "Not able now", "Keys can not be checked now; try again soon.")
          .retryable(2);
    }
  }

  /** Null without the header; anything but one bearer credential is a bad credential. */
  private static @Nullable String bearer(@Nullable String header) {
    if (header == null) {
      return null;
    }
    return header.regionMatches(true, 0, "Bearer ", 0, 7) ? header.substring(7).trim() : "";
  }

  /** The caller, as Spring Security carries it. Rights are asked of the matrix, not of it. */
  private static final class Authenticated extends AbstractAuthenticationToken {

    private final Caller caller;

    Authenticated(Caller caller) {
      super(List.of());
      this.caller = caller;
      setAuthenticated(true);
    }

    @Override
    public Object getCredentials() {
      return "";
    }

    @Override
    public Caller getPrincipal() {
      return caller;
    }

    @Override
    public String getName() {
      return caller.principal().toString();
    }
  }
}
