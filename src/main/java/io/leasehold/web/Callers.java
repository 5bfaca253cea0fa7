package io.leasehold.web;

import java.util.Collection;
import java.util.Optional;

/** Who is behind a credential, as the feature that owns people and keys knows it. */
public interface Callers {

  /** The caller of an API key; empty if it is unknown, expired or revoked. */
  Optional<Caller> ofKey(String key);

  /**
   * The caller of a token that was checked.
   *
   * @param subject unique with the issuer; never an address
   * @param name what the token shows of the person
   * @param groups what gives rights, mapped per issuer; no group, no rights
   */
  Caller ofToken(String issuer, String subject, String name, Collection<String> groups);
}
