package io.leasehold.planted;

import org.springframework.jdbc.core.simple.JdbcClient;

/** As if it were a feature. The comment's own words, update lease, are no fault. */
class WriterOfLeases {

  void write(JdbcClient database) {
    database.sql("select 1 from lease for update").query();
    database.sql(
        """
        update lease
           set state = 'ENDED'
        """);
    database.sql("DELETE FROM allocation where lease = ?");
  }
}
