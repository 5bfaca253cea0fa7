package io.leasehold.fleet;

import io.leasehold.engine.Command.Shrink;
import io.swagger.v3.oas.annotations.media.Schema;

/** What to do where leases use what goes away; named as callers write it. */
@Schema(description = "Where leases use what goes away: refuse the change, or degrade them")
enum ShrinkRule {
  refuse,
  degrade;

  Shrink rule() {
    return this == refuse ? Shrink.REFUSE : Shrink.DEGRADE;
  }
}
