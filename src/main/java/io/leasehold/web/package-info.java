/**
 * HTTP without feature words: problems, paging, authentication, authorisation of operations, strict
 * JSON, limits, event streams. May import nothing of the other packages.
 */
@NullMarked
package io.leasehold.web;

import org.jspecify.annotations.NullMarked;
