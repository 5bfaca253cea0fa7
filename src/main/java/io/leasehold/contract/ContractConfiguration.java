package io.leasehold.contract;

import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/** Stops the start where authors may sign their own drafts outside the sample. */
@Configuration(proxyBeanMethods = false)
class ContractConfiguration {

  ContractConfiguration(ContractProperties properties, Environment environment) {
    if (properties.authorMaySign() && !environment.acceptsProfiles(Profiles.of("sample"))) {
      throw new IllegalStateException(
          "leasehold.contract.author-may-sign is for the sample only: somebody else than its author"
              + " signs a contract");
    }
  }
}
