package io.leasehold.ledger;

/**
 * An idempotency key.
 *
 * @param scope caller and route
 * @param value as the client sent it, unquoted
 * @param fingerprint SHA-256 in hex of the canonical body with path and query
 */
public record Key(String scope, String value, String fingerprint) {}
