package io.leasehold.tenancy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Speaks to the running service over a real port, as one caller. */
public record Api(int port, @Nullable String key) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private static final JsonMapper JSON = new JsonMapper();

  /** What came back. */
  public record Answer(int status, JsonNode body, HttpResponse<String> raw) {

    public String code() {
      return body.path("code").asString("");
    }

    public String text(String field) {
      return body.path(field).asString("");
    }

    public String header(String name) {
      return raw.headers().firstValue(name).orElse("");
    }
  }

  public Api as(@Nullable String other) {
    return new Api(port, other);
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  public Answer post(String path, @Nullable String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  public Answer delete(String path) {
    return send("DELETE", path, null);
  }

  public Answer patch(String path, String body, String... headers) {
    String[] typed = java.util.Arrays.copyOf(headers, headers.length + 2);
    typed[headers.length] = "Content-Type";
    typed[headers.length + 1] = "application/merge-patch+json";
    return send("PATCH", path, body, typed);
  }

  /** Headers alternate name and value; JSON unless they say another type. */
  public Answer send(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
    }
    if (key != null) {
      request.setHeader("Authorization", "Bearer " + key);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return answer(request.build());
  }

  public Answer answer(HttpRequest request) {
    try {
      HttpResponse<String> raw = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      boolean json = raw.headers().firstValue("Content-Type").orElse("").contains("json");
      return new Answer(
          raw.statusCode(), json ? JSON.readTree(raw.body()) : JSON.createObjectNode(), raw);
    } catch (IOException failed) {
      throw new java.io.UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
