package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads {@code Idempotency-Key}: quoted (a structured field's string) or bare. Two bodies are the
 * same when they differ in the order of keys and in white space only.
 */
final class IdempotencyKeys implements HandlerMethodArgumentResolver {

  static final String HEADER = "Idempotency-Key";
  private static final int LONGEST = 255;

  private final JsonMapper json;
  private final Access access;

  IdempotencyKeys(JsonMapper json, Access access) {
    this.json = json;
    this.access = access;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == IdempotencyKey.class;
  }

  @Override
  public @Nullable Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest web,
      @Nullable WebDataBinderFactory binders) {
    HttpServletRequest request = web.getNativeRequest(HttpServletRequest.class);
    String value = value(request.getHeader(HEADER));
    if (value == null) {
      return null;
    }
    Object route = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    String scope = access.caller().principal() + " " + request.getMethod() + " " + route;
    return new IdempotencyKey(scope, value, fingerprint(request));
  }

  static @Nullable String value(@Nullable String header) {
    if (header == null) {
      return null;
    }
    String value = header.trim();
    if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
      value = value.substring(1, value.length() - 1).replaceAll("\\\\([\"\\\\])", "$1");
    }
    boolean printable = value.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    if (value.isEmpty() || value.length() > LONGEST || !printable) {
      throw Problem.invalid(
          Problem.Fault.in(
              HEADER,
              "bad-key",
              "An Idempotency-Key is 1 to 255 printable ASCII characters; a UUID is a good one."));
    }
    return value;
  }

  private String fingerprint(HttpServletRequest request) {
    MessageDigest digest = sha256();
    digest.update(request.getRequestURI().getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    String query = request.getQueryString();
    digest.update((query == null ? "" : query).getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    byte[] body = RawBody.of(request);
    digest.update(isJson(request) ? canonical(body) : body);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static boolean isJson(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.contains("json");
  }

  /** The body with its keys in order; what is not JSON is left for the reader to refuse. */
  private byte[] canonical(byte[] body) {
    if (body.length == 0) {
      return body;
    }
    try {
      return json.writeValueAsBytes(ordered(json.readTree(body)));
    } catch (tools.jackson.core.JacksonException malformed) {
      return body;
    }
  }

  private JsonNode ordered(JsonNode node) {
    if (node instanceof ObjectNode object) {
      TreeMap<String, JsonNode> members = new TreeMap<>();
      object.properties().forEach(e -> members.put(e.getKey(), ordered(e.getValue())));
      ObjectNode sorted = json.createObjectNode();
      members.forEach(sorted::set);
      return sorted;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode same = json.createArrayNode();
      array.forEach(e -> same.add(ordered(e)));
      return same;
    }
    return node;
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
