package io.leasehold.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the doors are guarded ({@code leasehold.web.*}).
 *
 * @param hosts the only values of {@code Host} that are answered, without a port; empty = any
 * @param body how many bytes a body may have
 * @param rate how often callers may come, in this replica
 * @param streams how many event streams this replica holds
 * @param issuers OIDC issuers whose tokens are taken; empty = API keys only
 */
@ConfigurationProperties("leasehold.web")
record WebProperties(
    @DefaultValue List<String> hosts,
    @DefaultValue Body body,
    @DefaultValue Rate rate,
    @DefaultValue Streams streams,
    @DefaultValue List<Issuer> issuers) {

  record Body(
      @DefaultValue("262144") int usual,
      @DefaultValue("4194304") int batch,
      @DefaultValue("33554432") int imports) {}

  /**
   * Requests per second.
   *
   * @param burst what a caller may save up
   * @param failures failed authentications per address
   * @param permits requests that are served at the same time; a tenant has at most half of them
   */
  record Rate(
      @DefaultValue("500") int caller,
      @DefaultValue("1000") int burst,
      @DefaultValue("2000") int tenant,
      @DefaultValue("10") int failures,
      @DefaultValue("1000") int permits) {}

  record Streams(
      @DefaultValue("5") int caller,
      @DefaultValue("20") int tenant,
      @DefaultValue("1000") int replica,
      @DefaultValue("15s") java.time.Duration heartbeat,
      @DefaultValue("30m") java.time.Duration life) {}

  /**
   * An issuer of OIDC tokens.
   *
   * @param issuer exactly as in {@code iss}
   * @param audience what {@code aud} must hold
   * @param keys address of its key set; absent = as its discovery document says
   * @param groups the claim that names the groups
   */
  record Issuer(
      String issuer,
      String audience,
      @Nullable String keys,
      @DefaultValue("groups") String groups) {}
}
