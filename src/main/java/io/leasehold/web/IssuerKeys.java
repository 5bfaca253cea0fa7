package io.leasehold.web;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys an issuer publishes: kept for 10 minutes, asked for at most once in 30 seconds however
 * many unknown key ids come, and used for 4 hours more while the issuer is away.
 */
final class IssuerKeys implements JWKSource<SecurityContext> {

  private static final Duration KEPT = Duration.ofMinutes(10);
  private static final Duration REFRESH = Duration.ofSeconds(15);
  private static final Duration APART = Duration.ofSeconds(30);
  private static final Duration OUTAGE = Duration.ofHours(4);
  private static final int LONGEST = 512 * 1024;

  private final JWKSource<SecurityContext> source;
  private volatile boolean had;

  IssuerKeys(WebProperties.Issuer issuer) {
    this.source =
        JWKSourceBuilder.create(new Published(issuer))
            .cache(KEPT.toMillis(), REFRESH.toMillis())
            .refreshAheadCache(false)
            .rateLimited(APART.toMillis())
            .outageTolerant(OUTAGE.toMillis())
            .build();
  }

  /** Whether the issuer ever answered. */
  boolean wereHad() {
    return had;
  }

  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    return source.get(selector, context);
  }

  /** Reads the key set, at the address of the configuration or of the discovery document. */
  private final class Published implements JWKSetSource<SecurityContext> {

    private final DefaultResourceRetriever http =
        new DefaultResourceRetriever(2_000, 3_000, LONGEST);
    private final WebProperties.Issuer issuer;

    Published(WebProperties.Issuer issuer) {
      this.issuer = issuer;
    }

    @Override
    public JWKSet getJWKSet(
        JWKSetCacheRefreshEvaluator evaluator, long now, @Nullable SecurityContext context)
        throws KeySourceException {
      try {
        JWKSet keys = JWKSet.parse(http.retrieveResource(address()).getContent());
        had = true;
        return keys;
      } catch (IOException | ParseException | IllegalArgumentException away) {
        throw new JWKSetUnavailableException("No key set of " + issuer.issuer(), away);
      }
    }

    private URL address() throws IOException, ParseException {
      if (issuer.keys() != null) {
        return URI.create(issuer.keys()).toURL();
      }
      String base = issuer.issuer().replaceAll("/$", "");
      URL discovery = URI.create(base + "/.well-known/openid-configuration").toURL();
      var document = JSONObjectUtils.parse(http.retrieveResource(discovery).getContent());
      if (!issuer.issuer().equals(document.get("issuer"))) {
        throw new IOException("The discovery document is another issuer's");
      }
      return URI.create(JSONObjectUtils.getString(document, "jwks_uri")).toURL();
    }

    @Override
    public void close() {
      // Nothing is held open between fetches.
    }
  }
}
