package io.leasehold.sample;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * @param directory where the sample keeps its database and its key; deleted = a new sample
 */
@ConfigurationProperties("leasehold.sample")
record SampleProperties(Path directory) {}
