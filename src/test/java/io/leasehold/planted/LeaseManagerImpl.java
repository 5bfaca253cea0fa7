package io.leasehold.planted;

import io.leasehold.engine.LeaseState;

/** A name that says nothing, and an arrow that no picture has. */
class LeaseManagerImpl {

  LeaseState state() {
    return LeaseState.WAITING;
  }
}
