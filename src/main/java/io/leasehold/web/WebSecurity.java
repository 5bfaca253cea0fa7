package io.leasehold.web;

import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * The way of a request to a controller: trace, firewall, bearer, rate, body. No sessions, no
 * cookies, no CORS, no logins of Spring's own.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebProperties.class)
class WebSecurity {

  /** Readable by anyone: probes, the document and its page. */
  private static final String[] OPEN = {
    "/livez",
    "/readyz",
    "/actuator/**",
    "/v3/api-docs",
    "/v3/api-docs/**",
    "/v3/api-docs.yaml",
    "/swagger-ui.html",
    "/swagger-ui/**",
    "/error"
  };

  /** Swagger UI needs inline styles; scripts come from here only and may talk to here only. */
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
          + "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
          + "form-action 'none'; frame-ancestors 'none'";

  /**
   * Requests are observed as a whole; observing each filter of the chain costs more than it tells.
   */
  @Bean
  SecurityObservationSettings securityObservationSettings() {
    return SecurityObservationSettings.noObservations();
  }

  @Bean
  SecurityFilterChain doors(
      HttpSecurity http,
      Credentials credentials,
      RateLimits limits,
      ProblemWriter problems,
      WebProperties properties) {
    http.csrf(AbstractHttpConfigurer::disable)
        .cors(AbstractHttpConfigurer::disable)
        .formLogin(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .headers(
            headers ->
                headers
                    .contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_POLICY))
                    .referrerPolicy(
                        r ->
                            r.policy(
                                org.springframework.security.web.header.writers
                                    .ReferrerPolicyHeaderWriter.ReferrerPolicy.NO_REFERRER)))
        .exceptionHandling(
            errors ->
                errors
                    .authenticationEntryPoint(
                        (request, response, cause) ->
                            problems.write(request, response, BearerFilter.unauthenticated()))
                    .accessDeniedHandler(
                        (request, response, cause) ->
                            problems.write(request, response, OperationGate.forbidden("this"))))
        .authorizeHttpRequests(
            requests ->
                requests
                    .dispatcherTypeMatchers(
                        jakarta.servlet.DispatcherType.ERROR, jakarta.servlet.DispatcherType.ASYNC)
                    .permitAll()
                    .requestMatchers(OPEN)
                    .permitAll()
                    .anyRequest()
                    .authenticated())
        .addFilterBefore(
            new BearerFilter(credentials, limits, problems), AnonymousAuthenticationFilter.class)
        .addFilterAfter(new BodyFilter(properties.body(), problems), AuthorizationFilter.class);
    return http.build();
  }

  /** Without it Spring Boot makes up a user with a password. */
  @Bean
  AuthenticationManager authenticationManager() {
    return authentication -> {
      throw new AuthenticationServiceException("Only the bearer filter authenticates.");
    };
  }

  @Bean
  HttpFirewall firewall(WebProperties properties) {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    firewall.setUnsafeAllowAnyHttpMethod(true);
    firewall.setAllowedParameterNames(name -> true);
    firewall.setAllowedParameterValues(value -> true);
    Set<String> hosts =
        properties.hosts().stream().map(String::toLowerCase).collect(Collectors.toSet());
    if (!hosts.isEmpty()) {
      firewall.setAllowedHostnames(host -> hosts.contains(host.toLowerCase()));
    }
    return firewall;
  }

  @Bean
  RequestRejectedHandler rejected(ProblemWriter problems) {
    return (request, response, cause) ->
        problems.write(request, response, ProblemHandler.rejected());
  }

  @Bean
  FilterRegistrationBean<TraceFilter> traceFilter(ProblemWriter problems) {
    FilterRegistrationBean<TraceFilter> first =
        new FilterRegistrationBean<>(new TraceFilter(problems));
    first.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return first;
  }

  @Bean
  Credentials credentials(Callers callers, WebProperties properties, WallClock clock) {
    Tokens tokens =
        properties.issuers().isEmpty()
            ? token -> java.util.Optional.empty()
            : new OidcTokens(properties.issuers(), clock);
    return new Credentials(callers, tokens);
  }

  @Bean
  RateLimits rateLimits(WebProperties properties) {
    return new RateLimits(properties.rate());
  }
}
