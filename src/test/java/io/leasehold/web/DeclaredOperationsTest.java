package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;

class DeclaredOperationsTest {

  static class Doors {
    @Requires("fly")
    public void unknown() {}

    @Requires("walk")
    public void known() {}

    public void undeclared() {}
  }

  private static Set<String> faults(String method, String path) throws NoSuchMethodException {
    return DeclaredOperations.faults(
        Map.of(
            RequestMappingInfo.paths(path).build(),
            new HandlerMethod(new Doors(), Doors.class.getMethod(method))),
        Set.of("walk"));
  }

  @Test
  void everyPathOfTheApiDeclaresAnOperationOfTheMatrix() throws NoSuchMethodException {
    assertThat(faults("known", "/api/v1/x")).isEmpty();
    assertThat(faults("undeclared", "/api/v1/x")).hasSize(1);
    assertThat(faults("unknown", "/api/v1/x")).hasSize(1);
    assertThat(faults("unknown", "/x")).hasSize(1);
    assertThat(faults("undeclared", "/error")).isEmpty();
  }
}
