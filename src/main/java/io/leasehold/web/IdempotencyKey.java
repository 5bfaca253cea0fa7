package io.leasehold.web;

/**
 * The {@code Idempotency-Key} of a request, or null as a controller's parameter when none was sent.
 *
 * @param scope caller, method and route: what the value is unique in
 * @param value as the client sent it, unquoted; at most 255 characters
 * @param fingerprint SHA-256 in hex of the canonical body with path and query
 */
public record IdempotencyKey(String scope, String value, String fingerprint) {}
