package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.FreshDatabase;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A page of another site that resolves its name to us gets nothing. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "leasehold.web.hosts[0]=localhost",
      "leasehold.web.hosts[1]=127.0.0.1",
      "leasehold.web.hosts[2]=[::1]"
    })
@FreshDatabase
class HostsIT {

  @LocalServerPort int port;

  private String get(String host) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              ("GET /api/v1/whoami HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"})
  void ourOwnNamesAreAnswered(String host) throws IOException {
    assertThat(get(host)).startsWith("HTTP/1.1 401");
  }

  @Test
  void othersAreRefusedWithAProblem() throws IOException {
    assertThat(get("evil.example"))
        .startsWith("HTTP/1.1 400")
        .contains("application/problem+json", "request-rejected");
  }
}
