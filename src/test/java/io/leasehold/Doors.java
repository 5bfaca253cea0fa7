package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;

import io.leasehold.web.Caller;
import io.leasehold.web.Caller.Grant;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API as somebody with roles; whether credentials are good is tested elsewhere. */
public record Doors(MockMvc mvc, Caller caller) {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** An operator that is also tenant admin of these tenants. */
  public static Doors operator(MockMvc mvc, String... tenants) {
    return of(mvc, "operator", tenants);
  }

  /** Somebody with a platform role and, in these tenants, the rights of a tenant admin. */
  public static Doors of(MockMvc mvc, String platformRole, String... tenants) {
    Set<Grant> grants = new java.util.HashSet<>();
    if (!platformRole.isEmpty()) {
      grants.add(new Grant(platformRole, ""));
    }
    for (String tenant : tenants) {
      grants.add(new Grant("tenant-admin", tenant));
    }
    return new Doors(mvc, new Caller(UUID.randomUUID(), "user", "test", grants));
  }

  public Answer get(String path) {
    return call(HttpMethod.GET, path, null, null);
  }

  /** With headers as name, value, name, value. */
  public Answer getWith(String path, String... headers) {
    return call(HttpMethod.GET, path, null, null, headers);
  }

  public Answer post(String path, String body, String... headers) {
    return call(HttpMethod.POST, path, body, "application/json", headers);
  }

  public Answer postCsv(String path, String body, String... headers) {
    return call(HttpMethod.POST, path, body, "text/csv", headers);
  }

  public Answer put(String path, String body, String... headers) {
    return call(HttpMethod.PUT, path, body, "application/json", headers);
  }

  public Answer patch(String path, String body, String... headers) {
    return call(HttpMethod.PATCH, path, body, "application/merge-patch+json", headers);
  }

  public Answer delete(String path) {
    return call(HttpMethod.DELETE, path, null, null);
  }

  /** Headers as name, value, name, value. */
  private Answer call(HttpMethod method, String path, String body, String type, String... headers) {
    MockHttpServletRequestBuilder request =
        MockMvcRequestBuilders.request(method, java.net.URI.create("/api/v1" + path))
            .with(authentication(new TestingAuthenticationToken(caller, null, List.of())));
    if (body != null) {
      request.contentType(type).content(body.getBytes(StandardCharsets.UTF_8));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return new Answer(method + " " + path, mvc.perform(request).andReturn().getResponse());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What came back. */
  public record Answer(String request, MockHttpServletResponse response) {

    public Answer hasStatus(int status) {
      assertThat(response.getStatus()).as("%s: %s", request, text()).isEqualTo(status);
      return this;
    }

    /** A problem of this code. */
    public Answer isProblem(int status, String code) {
      hasStatus(status);
      assertThat(response.getContentType()).startsWith("application/problem+json");
      assertThat(json().at("/code").asString()).as("%s: %s", request, text()).isEqualTo(code);
      return this;
    }

    /** A 400 with a fault of this code at this pointer. */
    public Answer faults(String pointer, String code) {
      hasStatus(400);
      assertThat(json().at("/errors").valueStream())
          .as("%s: %s", request, text())
          .anyMatch(
              fault ->
                  fault.at("/pointer").asString().equals(pointer)
                      && fault.at("/code").asString().equals(code));
      return this;
    }

    public JsonNode json() {
      return JSON.readTree(text());
    }

    public String text() {
      try {
        return response.getContentAsString(StandardCharsets.UTF_8);
      } catch (java.io.UnsupportedEncodingException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    public String at(String pointer) {
      return json().at(pointer).asString();
    }

    public String header(String name) {
      return response.getHeader(name);
    }
  }
}
