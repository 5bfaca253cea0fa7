package io.leasehold.web;

import java.util.Collection;
import java.util.Optional;

/** OIDC tokens of the configured issuers. Without issuers no token is good. */
interface Tokens {

  /** Empty if the token is not good; a 503 problem if its issuer's keys can not be had. */
  Optional<Token> check(String token);

  /** What counts of a good token. */
  record Token(String issuer, String subject, String name, Collection<String> groups) {}
}
