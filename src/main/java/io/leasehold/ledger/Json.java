package io.leasehold.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Move;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Units;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.MutableConfigOverride;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * The engine's records as the tables hold them: compact, absent instead of null or empty, and read
 * back equal. The engine knows nothing of it; the names of the kinds are given here and never
 * change.
 */
final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .changeDefaultPropertyInclusion(to -> to.withValueInclusion(JsonInclude.Include.NON_NULL))
          .withConfigOverride(List.class, Json::absentIsEmpty)
          .withConfigOverride(Map.class, Json::absentIsEmpty)
          .addModule(
              new SimpleModule()
                  .addSerializer(Units.class, new UnitsOut())
                  .addDeserializer(Units.class, new UnitsIn()))
          .addMixIn(Move.class, Kinds.OfMove.class)
          .addMixIn(Command.class, Kinds.OfCommand.class)
          .addMixIn(Decision.class, Kinds.OfDecision.class)
          .addMixIn(Ask.When.class, Kinds.OfWhen.class)
          .addMixIn(Shape.Slice.class, Kinds.OfSlice.class)
          .addMixIn(Outcome.class, Kinds.OfOutcome.class)
          .build();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static <T> T read(String json, Class<T> type) {
    return MAPPER.readValue(json, type);
  }

  private static void absentIsEmpty(MutableConfigOverride of) {
    of.setInclude(
        JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS));
    of.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
  }

  /** How the sealed types of the engine and of the outcome tell their kinds apart. */
  interface Kinds {

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Move.LeaseMoved.class, name = "lease"),
      @JsonSubTypes.Type(value = Move.OccurrenceMoved.class, name = "occurrence"),
      @JsonSubTypes.Type(value = Move.NodeSet.class, name = "node"),
      @JsonSubTypes.Type(value = Move.ModelSet.class, name = "model"),
      @JsonSubTypes.Type(value = Move.ClassSet.class, name = "class"),
      @JsonSubTypes.Type(value = Move.TenantSet.class, name = "tenant"),
      @JsonSubTypes.Type(value = Move.ContractSet.class, name = "contract"),
      @JsonSubTypes.Type(value = Move.ClusterSet.class, name = "cluster"),
      @JsonSubTypes.Type(value = Move.UsageSet.class, name = "usage"),
      @JsonSubTypes.Type(value = Move.LossSet.class, name = "loss"),
      @JsonSubTypes.Type(value = Move.DisruptionSet.class, name = "disruption")
    })
    interface OfMove {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Command.Create.class, name = "create"),
      @JsonSubTypes.Type(value = Command.CreateAtomic.class, name = "create-atomic"),
      @JsonSubTypes.Type(value = Command.Extend.class, name = "extend"),
      @JsonSubTypes.Type(value = Command.Shorten.class, name = "shorten"),
      @JsonSubTypes.Type(value = Command.Resize.class, name = "resize"),
      @JsonSubTypes.Type(value = Command.Replace.class, name = "replace"),
      @JsonSubTypes.Type(value = Command.Transfer.class, name = "transfer"),
      @JsonSubTypes.Type(value = Command.Release.class, name = "release"),
      @JsonSubTypes.Type(value = Command.Cancel.class, name = "cancel"),
      @JsonSubTypes.Type(value = Command.Revoke.class, name = "revoke"),
      @JsonSubTypes.Type(value = Command.Silence.class, name = "silence"),
      @JsonSubTypes.Type(value = Command.Annotate.class, name = "annotate"),
      @JsonSubTypes.Type(value = Command.Tick.class, name = "tick"),
      @JsonSubTypes.Type(value = Command.Report.class, name = "report"),
      @JsonSubTypes.Type(value = Command.SetNodes.class, name = "set-nodes"),
      @JsonSubTypes.Type(value = Command.Drain.class, name = "drain"),
      @JsonSubTypes.Type(value = Command.Sign.class, name = "sign"),
      @JsonSubTypes.Type(value = Command.Terminate.class, name = "terminate"),
      @JsonSubTypes.Type(value = Command.Reserve.class, name = "reserve"),
      @JsonSubTypes.Type(value = Command.ChangeOccurrence.class, name = "change-occurrence"),
      @JsonSubTypes.Type(value = Command.CancelOccurrences.class, name = "cancel-occurrences"),
      @JsonSubTypes.Type(value = Command.SetCluster.class, name = "set-cluster"),
      @JsonSubTypes.Type(value = Command.Consolidate.class, name = "consolidate")
    })
    interface OfCommand {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Decision.Decided.class, name = "decided"),
      @JsonSubTypes.Type(value = Decision.DecidedAtomic.class, name = "decided-atomic"),
      @JsonSubTypes.Type(value = Decision.Done.class, name = "done"),
      @JsonSubTypes.Type(value = Decision.Declined.class, name = "declined"),
      @JsonSubTypes.Type(value = Decision.Changed.class, name = "changed"),
      @JsonSubTypes.Type(value = Decision.Reserved.class, name = "reserved"),
      @JsonSubTypes.Type(value = Decision.Shortfalls.class, name = "shortfalls"),
      @JsonSubTypes.Type(value = Decision.Consolidated.class, name = "consolidated")
    })
    interface OfDecision {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Ask.When.Now.class, name = "now"),
      @JsonSubTypes.Type(value = Ask.When.NowUntil.class, name = "now-until"),
      @JsonSubTypes.Type(value = Ask.When.At.class, name = "at"),
      @JsonSubTypes.Type(value = Ask.When.Within.class, name = "within")
    })
    interface OfWhen {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Shape.Slice.Whole.class, name = "whole"),
      @JsonSubTypes.Type(value = Shape.Slice.Mig.class, name = "mig"),
      @JsonSubTypes.Type(value = Shape.Slice.Share.class, name = "share")
    })
    interface OfSlice {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "@")
    @JsonSubTypes({
      @JsonSubTypes.Type(value = Outcome.Committed.class, name = "committed"),
      @JsonSubTypes.Type(value = Outcome.Stale.class, name = "stale"),
      @JsonSubTypes.Type(value = Outcome.BookChanged.class, name = "book-changed"),
      @JsonSubTypes.Type(value = Outcome.KeyReused.class, name = "key-reused"),
      @JsonSubTypes.Type(value = Outcome.KeyInFlight.class, name = "key-in-flight"),
      @JsonSubTypes.Type(value = Outcome.Undone.class, name = "undone"),
      @JsonSubTypes.Type(value = Outcome.Unavailable.class, name = "unavailable"),
      @JsonSubTypes.Type(value = Outcome.Broken.class, name = "broken")
    })
    interface OfOutcome {}
  }

  private static final class UnitsOut extends StdSerializer<Units> {
    UnitsOut() {
      super(Units.class);
    }

    @Override
    public void serialize(Units units, JsonGenerator out, SerializationContext context) {
      int[] bounds = units.bounds();
      out.writeArray(bounds, 0, bounds.length);
    }
  }

  private static final class UnitsIn extends StdDeserializer<Units> {
    UnitsIn() {
      super(Units.class);
    }

    @Override
    public Units deserialize(JsonParser in, DeserializationContext context) {
      return Units.of(in.readValueAs(int[].class));
    }
  }
}
