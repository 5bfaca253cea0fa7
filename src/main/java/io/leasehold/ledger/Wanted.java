package io.leasehold.ledger;

import io.leasehold.engine.Booking;

/**
 * What an order's row says is to be true in the cluster ({@code cluster_order.wanted}).
 *
 * @param graceSeconds what a withdrawal gives the tenant's work to wind down
 */
public record Wanted(Booking booking, long graceSeconds) {

  public static Wanted from(String json) {
    return Json.read(json, Wanted.class);
  }

  String json() {
    return Json.write(this);
  }
}
