import com.fasterxml.jackson.databind.ObjectMapper;
import io.leasehold.client.ApiClient;
import io.leasehold.client.model.Lease;
import io.leasehold.client.model.LeasePage;
import io.leasehold.client.model.Problem;
import java.nio.file.Path;

/** The generated Java client reads what the service answers, new values of enumerations included. */
public class Decode {

  public static void main(String[] args) throws Exception {
    ObjectMapper json = ApiClient.createDefaultObjectMapper();
    Path fixtures = Path.of(args[0]);
    Lease lease = json.readValue(fixtures.resolve("lease.json").toFile(), Lease.class);
    Problem refusal = json.readValue(fixtures.resolve("refusal.json").toFile(), Problem.class);
    LeasePage page = json.readValue(fixtures.resolve("page.json").toFile(), LeasePage.class);
    expect("HIBERNATING", lease.getState());
    expect(625, lease.getAllocations().get(0).getGpus().get(1).getUnits().get(0).getEnd());
    expect("refused-shortage", refusal.getCode());
    expect("WAITING", page.getItems().get(0).getState());
    expect("bmV4dA", page.getNextPageToken());
  }

  private static void expect(Object wanted, Object present) {
    if (!wanted.toString().equals(String.valueOf(present))) {
      throw new AssertionError("wanted " + wanted + ", is " + present);
    }
  }
}
