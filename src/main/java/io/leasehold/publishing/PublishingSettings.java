package io.leasehold.publishing;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How orders reach clusters.
 *
 * @param enabled false = this replica delivers nothing; others do
 * @param poll how often this replica looks for due orders
 * @param batch orders that one round takes from one cluster's orders at most
 * @param deadline how long one call to a cluster may take
 * @param claim how long a round keeps its orders from other replicas; above two deadlines
 * @param retry the first wait after a failure; doubled by each further one
 * @param retryAtMost the longest wait between two tries
 * @param park failures after which an order is parked
 * @param resend an order that was accepted and of which nothing is seen so long is delivered again
 * @param compare how often a cluster is compared with what is wanted
 * @param steady how long a cluster must be away, or empty, or back, until it counts as so
 * @param connections to the database, for all clusters together
 */
@ConfigurationProperties("leasehold.publishing")
record PublishingSettings(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("100ms") Duration poll,
    @DefaultValue("500") int batch,
    @DefaultValue("10s") Duration deadline,
    @DefaultValue("30s") Duration claim,
    @DefaultValue("200ms") Duration retry,
    @DefaultValue("60s") Duration retryAtMost,
    @DefaultValue("12") int park,
    @DefaultValue("30s") Duration resend,
    @DefaultValue("60s") Duration compare,
    @DefaultValue("30s") Duration steady,
    @DefaultValue("6") int connections) {

  PublishingSettings {
    if (claim.compareTo(deadline.multipliedBy(2)) <= 0) {
      throw new IllegalArgumentException(
          "leasehold.publishing.claim (" + claim + ") must be above two deadlines of " + deadline);
    }
    if (batch < 1 || park < 1) {
      throw new IllegalArgumentException("leasehold.publishing.batch and .park must be at least 1");
    }
  }
}
