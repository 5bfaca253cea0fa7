package io.leasehold.fleet;

import io.leasehold.engine.Node;

/**
 * A node as it shall be.
 *
 * @param seen the revision that the change was made from; 0 for a new node
 */
record NodeChange(Node node, long seen) {}
