package io.leasehold.tenancy;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who runs the installation from the start ({@code leasehold.tenancy.*}).
 *
 * @param platformAdmins groups whose members are platform admins; never set by the API
 */
@ConfigurationProperties("leasehold.tenancy")
record TenancyProperties(@DefaultValue List<Group> platformAdmins) {

  /** A group of an issuer, both exactly as in the token. */
  record Group(String issuer, String group) {}
}
