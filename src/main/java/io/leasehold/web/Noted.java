package io.leasehold.web;

/**
 * Something about a call that whoever keeps the record should know: published as an event, on the
 * thread of the request.
 *
 * @param status 403 or 404 for a refusal; 200 for a read that the matrix wants noted
 */
public record Noted(Caller caller, String operation, int status, String traceId) {

  public boolean isRefusal() {
    return status >= 400;
  }
}
