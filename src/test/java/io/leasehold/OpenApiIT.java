package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** The published document is what the code says; {@code -DupdateSpec} writes it. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class OpenApiIT {

  private static final Path PUBLISHED = Path.of("api-spec/openapi.yaml");

  @Autowired MockMvc mvc;

  @Test
  void theDocumentInTheRepositoryIsTheOneServed() throws Exception {
    String served =
        mvc.perform(get("/v3/api-docs.yaml"))
            .andReturn()
            .getResponse()
            .getContentAsString(StandardCharsets.UTF_8);
    if (System.getProperty("updateSpec") != null) {
      Files.createDirectories(PUBLISHED.getParent());
      Files.writeString(PUBLISHED, served);
    }
    assertThat(PUBLISHED)
        .as("The API's document; CONTRIBUTING.md names the command that writes it")
        .content(StandardCharsets.UTF_8)
        .isEqualTo(served);
  }
}
