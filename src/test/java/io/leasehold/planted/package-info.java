/** Faults that the architecture test must find; each breaks one rule on purpose. */
@NullMarked
package io.leasehold.planted;

import org.jspecify.annotations.NullMarked;
