package io.leasehold.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenbFilesTest {

  private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";
  private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";

  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("list.csv"), text);
  }

  private void assertBadPods(String text, String message) throws IOException {
    Path file = file(text);
    assertThatThrownBy(() -> OpenbFiles.requests(file))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + message);
  }

  @Test
  void readsNodesWhateverTheOrderOfColumns() throws IOException {
    Path file =
        file("\uFEFFmodel,sn,gpu,\"cpu_milli\",memory_mib,rack\r\nT4,\"a,1\",2,64000,1024,r\r\n");
    assertThat(OpenbFiles.machines(file))
        .containsExactly(new Machine("a,1", 64_000, 1_024, 2, "T4"));
  }

  @Test
  void readsWholeGpusFractionsGangsAndNone() throws IOException {
    Path file =
        file(
            PODS
                + "a,1000,0,1,1000,\n"
                + "b,2000,5,1,460,T4 | P100\n"
                + "c,3000,6,8,1000,G2\n"
                + "d,4000,7,0,0,\n"
                + "e,5000,8,1,,\n");
    assertThat(OpenbFiles.requests(file))
        .containsExactly(
            new Request(1_000, 0, 1, 1_000, List.of()),
            new Request(2_000, 5, 1, 460, List.of("T4", "P100")),
            new Request(3_000, 6, 8, 1_000, List.of("G2")),
            new Request(4_000, 7, 0, 1_000, List.of()),
            new Request(5_000, 8, 1, 1_000, List.of()));
  }

  @Test
  void readsListsWithoutModels() throws IOException {
    Path file = file("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,2,2,1000\n");
    assertThat(OpenbFiles.requests(file).getFirst().models()).isEmpty();
  }

  @Test
  void aFaultNamesFileLineAndColumn() throws IOException {
    assertBadPods(
        PODS + "a,1000,0,1,1000,\nb,x,0,1,1000,\n",
        ", line 3, column cpu_milli: \"x\" is not a number from 0 to 1000000000");
    assertBadPods(
        PODS + "a,1000,0,1.5,1000,\n", ", line 2, column num_gpu: \"1.5\" is not a whole number");
    assertBadPods(
        PODS + "a,1000,0,-1,1000,\n",
        ", line 2, column num_gpu: \"-1\" is not a number from 0 to 64");
    assertBadPods(
        PODS + "a,1000,0,1,1001,\n",
        ", line 2, column gpu_milli: \"1001\" is not a number from 0 to 1000");
    assertBadPods(
        PODS + "a,1000,0,1,NaN,\n",
        ", line 2, column gpu_milli: \"NaN\" is not a number from 0 to 1000");
    assertBadPods(PODS + "a,1000\n", ", line 2: 2 fields, the header has 6");
    assertBadPods("name,cpu_milli\na,1\n", ", line 1: no column memory_mib");
    assertBadPods(PODS, " has no line below a header");
  }

  @Test
  void aNodeNamedTwiceIsAFault() throws IOException {
    Path file = file(NODES + "a,1,1,1,T4\na,1,1,1,T4\n");
    assertThatThrownBy(() -> OpenbFiles.machines(file))
        .isInstanceOf(BadInput.class)
        .hasMessage(file + ", line 3, column sn: \"a\" is empty or was there before");
  }

  @Test
  void aFileThatCanNotBeReadIsAFault() throws IOException {
    Path nowhere = directory.resolve("nowhere.csv");
    assertThatThrownBy(() -> OpenbFiles.machines(nowhere)).hasMessage(nowhere + ": no such file");
    Path latin =
        Files.write(directory.resolve("latin.csv"), "é\n".getBytes(StandardCharsets.ISO_8859_1));
    assertThatThrownBy(() -> OpenbFiles.machines(latin))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining("UTF-8");
  }
}
