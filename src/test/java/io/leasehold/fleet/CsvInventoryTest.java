package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Domain;
import io.leasehold.web.Problem.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvInventoryTest {

  @Test
  void readsANodeListWithShortTitles() {
    Inventory.Unchecked read =
        read("sn,cpu_milli,memory_mib,gpu,model\nopenb-node-0000,64000,262144,2,P100\n");

    assertThat(read.faults()).isEmpty();
    InventoryEntry node = read.entries().getFirst();
    assertThat(node.name()).isEqualTo("openb-node-0000");
    assertThat(node.model()).isEqualTo("P100");
    assertThat(node.gpuCount()).isEqualTo(2);
    assertThat(node.cpuMilli()).isEqualTo(64_000);
    assertThat(node.memoryMiB()).isEqualTo(262_144);
    assertThat(node.cluster()).isNull();
    assertThat(node.domain()).as("no column tells of a place: it stays").isNull();
    assertThat(node.gpuUuids()).isNull();
  }

  @Test
  void takesTheNamesOfTheFieldsInJson() {
    Inventory.Unchecked read =
        read("name,model,gpuCount,cpuMilli,memoryMiB,gpuUuids\nn1,h100,1,64000,262144,GPU-a\n");

    assertThat(read.faults()).isEmpty();
    InventoryEntry node = read.entries().getFirst();
    assertThat(node.gpuCount()).isEqualTo(1);
    assertThat(node.cpuMilli()).isEqualTo(64_000);
    assertThat(node.memoryMiB()).isEqualTo(262_144);
    assertThat(node.gpuUuids()).containsExactly("GPU-a");
  }

  @Test
  void takesTitlesInAnyOrderAndCaseWithAByteOrderMarkAndWindowsLines() {
    Inventory.Unchecked read =
        read("\uFEFFModel,GPU_Count,Name,Rack,Zone,gpu_uuids\r\nh100,2,n1, r1 ,,GPU-a  GPU-b\r\n");

    assertThat(read.faults()).isEmpty();
    InventoryEntry node = read.entries().getFirst();
    assertThat(node.name()).isEqualTo("n1");
    assertThat(node.domain()).isEqualTo(new Domain(null, null, null, "r1", null));
    assertThat(node.gpuUuids()).containsExactly("GPU-a", "GPU-b");
    assertThat(node.cpuMilli()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "'name,gpu\nn1,8', 1, 1, missing-column",
    "'name,gpu,model,colour\nn1,8,h100,red', 1, 4, unknown-column",
    "'name,gpu,model,sn\nn1,8,h100,n1', 1, 4, duplicate-column",
    "'name,gpu,model\nn1,8,h100\nn2,8', 3, 3, wrong-field-count",
    "'name,gpu,model\nn1,8,h100,more', 2, 4, wrong-field-count",
    "'name,gpu,model\n\n\nn1,eight,h100', 4, 2, not-a-number",
    "'name,gpu,model\nn1,1.0,h100', 2, 2, not-a-number",
    "'name,gpu,model\nn1,8e0,h100', 2, 2, not-a-number",
    "'name,gpu,model\nn1,99999999999999999999,h100', 2, 2, not-a-number",
    "'', 1, 1, no-header"
  })
  void tellsLineAndColumnOfAFault(String csv, int line, int column, String code) {
    assertThat(read(csv).faults())
        .extracting(Fault::line, Fault::column, Fault::code)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(line, column, code));
  }

  @Test
  void tellsAllFaultsAtOnce() {
    List<Fault> faults = read("name,gpu,model\nn1,x,h100\nn2,8\nn3,y,h100\n").faults();

    assertThat(faults).extracting(Fault::line).containsExactly(2, 3, 4);
  }

  @Test
  void placesTheFaultsOfLaterRulesInTheSameWay() {
    InventoryEntry node = read("model,gpu,name\nh100,8,n1\n").entries().getFirst();

    Fault fault = node.at().fault("name", "bad-name", "no");

    assertThat(fault.line()).isEqualTo(2);
    assertThat(fault.column()).isEqualTo(3);
  }

  @Test
  void refusesWhatIsNotUtf8() {
    byte[] latin1 = "name,gpu,model\nn\u00e9,8,h100\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(CsvInventory.read(latin1).faults())
        .extracting(Fault::code)
        .containsExactly("not-utf-8");
  }

  private static Inventory.Unchecked read(String csv) {
    return CsvInventory.read(csv.getBytes(StandardCharsets.UTF_8));
  }
}
