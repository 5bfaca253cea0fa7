package io.leasehold.publishing;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.leasehold.engine.Booking;
import io.leasehold.engine.Span;
import io.leasehold.engine.Units;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** Reads what the ledger wrote into an order: the booking and the grace of a withdrawal. */
final class WantedReader {

  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final JsonMapper json =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .withConfigOverride(
              List.class, list -> list.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
          .addModule(new SimpleModule().addDeserializer(Units.class, new UnitsReader()))
          .build();

  Wanted read(String text) {
    return json.readValue(text, Wanted.class);
  }

  record Wanted(Booking booking, long graceSeconds) {

    static final Wanted NOTHING =
        new Wanted(new Booking("", "", new Span(0, Span.FOREVER), List.of()), 0);
  }

  /** Units as an int4multirange or as an array of bounds. */
  private static final class UnitsReader extends ValueDeserializer<Units> {

    @Override
    public @Nullable Units deserialize(JsonParser parser, DeserializationContext context) {
      IntStream bounds =
          parser.isExpectedStartArrayToken()
              ? IntStream.of(context.readValue(parser, int[].class))
              : NUMBER
                  .matcher(parser.getString())
                  .results()
                  .map(MatchResult::group)
                  .mapToInt(Integer::parseInt);
      return Units.of(bounds.toArray());
    }
  }
}
