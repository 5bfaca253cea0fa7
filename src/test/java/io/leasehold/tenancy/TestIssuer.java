package io.leasehold.tenancy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A small real issuer of tokens: discovery, a key set that rotates, and it can be away. */
final class TestIssuer implements AutoCloseable {

  private final HttpServer server;
  private final List<RSAKey> published = new ArrayList<>();
  final AtomicInteger fetches = new AtomicInteger();
  volatile boolean away;
  RSAKey key;

  TestIssuer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    rotate();
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              exchange.getRequestURI().getPath().equals("/keys")
                  ? keys()
                  : ("{\"issuer\":\"" + name() + "\",\"jwks_uri\":\"" + name() + "/keys\"}")
                      .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/json");
          exchange.sendResponseHeaders(away ? 503 : 200, away ? -1 : body.length);
          if (!away) {
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
  }

  private byte[] keys() {
    fetches.incrementAndGet();
    return new JWKSet(
            published.stream()
                .map(RSAKey::toPublicJWK)
                .map(k -> (com.nimbusds.jose.jwk.JWK) k)
                .toList())
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  String name() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** From now on tokens are signed with a new key; the old one stays published. */
  void rotate() {
    key = generated("k" + published.size());
    published.add(key);
  }

  static RSAKey generated(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  JWTClaimsSet.Builder claims() {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(name())
        .subject("alice-1")
        .audience("leasehold")
        .claim("preferred_username", "alice")
        .claim("groups", List.of("ml-blue"))
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plus(Duration.ofMinutes(10))));
  }

  String token() {
    return token(c -> c);
  }

  String token(UnaryOperator<JWTClaimsSet.Builder> change) {
    return sign(change, key, "JWT");
  }

  String sign(UnaryOperator<JWTClaimsSet.Builder> change, RSAKey with, String type) {
    try {
      return sign(
          new JWSHeader.Builder(JWSAlgorithm.RS256)
              .keyID(with.getKeyID())
              .type(new JOSEObjectType(type))
              .build(),
          change,
          new RSASSASigner(with));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String sign(JWSHeader header, UnaryOperator<JWTClaimsSet.Builder> change, JWSSigner signer) {
    try {
      SignedJWT token = new SignedJWT(header, change.apply(claims()).build());
      token.sign(signer);
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
