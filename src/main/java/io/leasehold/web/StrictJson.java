package io.leasehold.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON is read as it was meant or not at all: no unknown fields, no key twice, no 1.9 or "2" or
 * true as a number, no text that could not be stored. Written without nulls, instants in whole
 * seconds.
 */
public final class StrictJson {

  static final int DEPTH = 32;
  static final int NUMBER_LENGTH = 40;

  private StrictJson() {}

  /** The mapper as the doors use it, for those who are not made by Spring. */
  public static JsonMapper mapper() {
    JsonMapper.Builder builder = JsonMapper.builder(factory());
    rules(builder);
    return builder.build();
  }

  /** The factory with the limits of a body; the mapper's builder takes it from the start only. */
  static JsonFactory factory() {
    return JsonFactory.builder().streamReadConstraints(constraints()).build();
  }

  static StreamReadConstraints constraints() {
    return StreamReadConstraints.builder()
        .maxNestingDepth(DEPTH)
        .maxNumberLength(NUMBER_LENGTH)
        .build();
  }

  static JsonMapperBuilderCustomizer customizer() {
    return StrictJson::rules;
  }

  private static void rules(JsonMapper.Builder builder) {
    builder
        .enable(
            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
            DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
            DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
        .disable(
            DeserializationFeature.ACCEPT_FLOAT_AS_INT,
            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .changeDefaultPropertyInclusion(
            usual -> usual.withValueInclusion(JsonInclude.Include.NON_NULL))
        // A blank text (a NUL counts as blank) would be read as an absent number, flag or choice.
        .withCoercionConfigDefaults(
            c -> {
              c.setAcceptBlankAsEmpty(false);
              c.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail);
            })
        .withCoercionConfig(
            LogicalType.Textual,
            c -> {
              c.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
              c.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
              c.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            })
        .addModule(
            new SimpleModule("wire")
                .addDeserializer(String.class, new SoundText())
                .addKeyDeserializer(String.class, new SoundKey())
                .addDeserializer(Instant.class, new WireInstant())
                .addDeserializer(Duration.class, new WireDuration())
                .addSerializer(Instant.class, new WholeSeconds()));
  }

  /** Whether all text in a tree is sound, names included. */
  static boolean isSound(JsonNode node) {
    return switch (node) {
      case JsonNode text when text.isString() -> Text.isSound(text.stringValue());
      case JsonNode object when object.isObject() ->
          object.properties().stream()
              .allMatch(e -> Text.isSound(e.getKey()) && isSound(e.getValue()));
      case JsonNode array when array.isArray() -> array.valueStream().allMatch(StrictJson::isSound);
      default -> true;
    };
  }

  private static final class SoundText extends StdDeserializer<String> {

    SoundText() {
      super(String.class);
    }

    @Override
    public String deserialize(JsonParser parser, DeserializationContext context) {
      String text = StringDeserializer.instance.deserialize(parser, context);
      if (!Text.isSound(text)) {
        throw new UnsoundValue(
            parser, "unsound-text", "Text has no NUL and no half of a surrogate pair.");
      }
      return text;
    }

    @Override
    public LogicalType logicalType() {
      return LogicalType.Textual;
    }
  }

  private static final class SoundKey extends KeyDeserializer {

    @Override
    public Object deserializeKey(String key, DeserializationContext context) {
      if (!Text.isSound(key)) {
        throw new UnsoundValue(
            context.getParser(),
            "unsound-text",
            "A key has no NUL and no half of a surrogate pair.");
      }
      return key;
    }
  }

  private static final class WireInstant extends StdDeserializer<Instant> {

    WireInstant() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context) {
      Instant instant = WireTime.instant(text(parser, context));
      if (instant == null) {
        throw new UnsoundValue(
            parser,
            "not-an-instant",
            "An instant is written like 2027-03-01T15:00:00Z, from the year 2000 to 2199.");
      }
      return instant;
    }
  }

  private static final class WireDuration extends StdDeserializer<Duration> {

    WireDuration() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context) {
      Duration duration = WireTime.duration(text(parser, context));
      if (duration == null) {
        throw new UnsoundValue(
            parser,
            "not-a-duration",
            "A duration is written like PT4H or P1DT30M: days to seconds, no months, no years.");
      }
      return duration;
    }
  }

  private static String text(JsonParser parser, DeserializationContext context) {
    if (!parser.hasToken(JsonToken.VALUE_STRING)) {
      context.handleUnexpectedToken(String.class, parser);
    }
    return parser.getString();
  }

  private static final class WholeSeconds extends StdSerializer<Instant> {

    WholeSeconds() {
      super(Instant.class);
    }

    @Override
    public void serialize(
        @Nullable Instant instant, JsonGenerator generator, SerializationContext context) {
      generator.writeString(instant.truncatedTo(ChronoUnit.SECONDS).toString());
    }
  }
}
