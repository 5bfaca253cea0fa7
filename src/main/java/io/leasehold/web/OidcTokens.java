package io.leasehold.web;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a token only from an issuer named exactly, for our audience, signed with an asymmetric
 * algorithm by a key the issuer publishes, of type JWT or at+jwt, for at most 24 hours. The issuer
 * is chosen from the configuration; nothing in a token makes us fetch anything.
 */
final class OidcTokens implements Tokens {

  private static final Logger LOG = LoggerFactory.getLogger(OidcTokens.class);

  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512,
          JWSAlgorithm.Ed25519);
  private static final Duration LEEWAY = Duration.ofSeconds(60);
  private static final Duration LONGEST_LIFE = Duration.ofHours(24);

  private final Map<String, Issuer> issuers;
  private final InstantSource clock;

  OidcTokens(List<WebProperties.Issuer> issuers, InstantSource clock) {
    this.clock = clock;
    this.issuers =
        issuers.stream().collect(Collectors.toMap(WebProperties.Issuer::issuer, Issuer::new));
  }

  @Override
  public Optional<Token> check(String token) {
    try {
      if (!(JWTParser.parse(token) instanceof SignedJWT signed)) {
        return Optional.empty();
      }
      Issuer issuer = issuers.get(String.valueOf(signed.getJWTClaimsSet().getIssuer()));
      return issuer == null ? Optional.empty() : issuer.check(signed);
    } catch (ParseException | IllegalArgumentException notAToken) {
      return Optional.empty();
    }
  }

  private final class Issuer {

    private final WebProperties.Issuer settings;
    private final IssuerKeys keys;
    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    Issuer(WebProperties.Issuer settings) {
      if (settings.audience() == null || settings.audience().isBlank()) {
        throw new IllegalArgumentException(
            "leasehold.web.issuers: " + settings.issuer() + " needs an audience.");
      }
      this.settings = settings;
      this.keys = new IssuerKeys(settings);
      processor.setJWSTypeVerifier(
          new DefaultJOSEObjectTypeVerifier<>(
              JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
      processor.setJWSKeySelector(new JWSVerificationKeySelector<>(ALGORITHMS, keys));
      processor.setJWTClaimsSetVerifier((claims, context) -> {});
    }

    Optional<Token> check(SignedJWT signed) {
      try {
        JWTClaimsSet claims = processor.process(signed, null);
        return isGood(claims) ? Optional.of(token(claims)) : Optional.empty();
      } catch (RateLimitReachedException unknownKey) {
        return unlessKeysAreMissing();
      } catch (KeySourceException away) {
        LOG.warn("The keys of issuer {} can not be had: {}", settings.issuer(), away.toString());
        throw away();
      } catch (BadJOSEException | JOSEException bad) {
        LOG.debug("A token of issuer {} is not good: {}", settings.issuer(), bad.getMessage());
        return Optional.empty();
      }
    }

    /** Keys were had lately, and the token's is not among them: it is bad. Else we can not tell. */
    private Optional<Token> unlessKeysAreMissing() {
      if (keys.wereHad()) {
        return Optional.empty();
      }
      throw away();
    }

    private Problem away() {
      return Problem.of(
              503,
              "issuer-away",
              "Not able now",
              "The issuer of this token does not answer, so the token can not be checked now.")
          .retryable(30);
    }

    private boolean isGood(JWTClaimsSet claims) {
      Instant now = clock.instant();
      Instant expiry = instant(claims.getExpirationTime());
      Instant issued = instant(claims.getIssueTime());
      Instant notBefore = instant(claims.getNotBeforeTime());
      Instant from = issued != null ? issued : now;
      return settings.issuer().equals(claims.getIssuer())
          && claims.getAudience().contains(settings.audience())
          && claims.getSubject() != null
          && !claims.getSubject().isBlank()
          && claims.getSubject().length() <= 255
          && Text.isSound(claims.getSubject())
          && expiry != null
          && expiry.plus(LEEWAY).isAfter(now)
          && !expiry.isAfter(from.plus(LONGEST_LIFE))
          && (issued == null || !issued.isAfter(now.plus(LEEWAY)))
          && (notBefore == null || !notBefore.isAfter(now.plus(LEEWAY)));
    }

    private Token token(JWTClaimsSet claims) {
      String name = firstText(claims, "preferred_username", "name");
      return new Token(
          settings.issuer(),
          claims.getSubject(),
          name == null ? claims.getSubject() : name,
          groups(claims.getClaim(settings.groups())));
    }
  }

  private static @Nullable Instant instant(@Nullable Date date) {
    return date == null ? null : date.toInstant();
  }

  private static @Nullable String firstText(JWTClaimsSet claims, String... names) {
    for (String name : names) {
      if (claims.getClaim(name) instanceof String text
          && !text.isBlank()
          && text.length() <= 128
          && Text.isSound(text)) {
        return text;
      }
    }
    return null;
  }

  private static Collection<String> groups(@Nullable Object claim) {
    Function<Object, String> text = String::valueOf;
    return switch (claim) {
      case Collection<?> many -> many.stream().map(text).filter(Text::isSound).toList();
      case String one -> List.of(one);
      case null, default -> List.of();
    };
  }
}
