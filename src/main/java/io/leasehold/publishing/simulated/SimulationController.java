package io.leasehold.publishing.simulated;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.Problem;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the latencies and faults of simulated clusters; other clusters have none. */
@RestController
@RequestMapping("/api/v1/clusters/{slug}/simulation")
@Tag(name = "fleet")
class SimulationController {

  private final Ledger ledger;
  private final Access access;
  private final JdbcClient database;
  private final Simulations simulations;

  SimulationController(Ledger ledger, Access access, JdbcClient database) {
    this.ledger = ledger;
    this.access = access;
    this.database = database;
    this.simulations = new Simulations(database);
  }

  @GetMapping
  @Requires("fleet-write")
  @Operation(
      operationId = "getSimulation",
      summary = "Get the latencies and faults of a simulated cluster")
  SimulationBody get(@PathVariable String slug) {
    requireSimulated(slug);
    return SimulationBody.of(simulations.find(slug).orElse(Simulation.PLAIN));
  }

  @PutMapping
  @Requires("fleet-write")
  @Operation(
      operationId = "putSimulation",
      summary = "Give a simulated cluster latencies and faults, at once and for all replicas",
      description = "{} makes it plain again: it takes no time and has no faults.")
  SimulationBody put(@PathVariable String slug, @Valid @RequestBody SimulationBody body) {
    requireSimulated(slug);
    Simulation simulation = body.simulation();
    Caller caller = access.caller();
    ledger.impose(
        new Actor(caller.principal(), caller.kind(), caller.name()),
        access.traceId(),
        "cluster:" + slug,
        null,
        "simulation-changed",
        List.of(),
        null,
        connection -> {
          JdbcClient ledgers = JdbcClient.create(new SingleConnectionDataSource(connection, true));
          new Simulations(ledgers).put(slug, simulation);
          return "{}";
        });
    return SimulationBody.of(simulation);
  }

  private void requireSimulated(String slug) {
    database
        .sql("select slug from cluster where slug = :slug and adapter = 'simulated'")
        .param("slug", slug)
        .query(String.class)
        .optional()
        .orElseThrow(Problem::notFound);
  }
}
