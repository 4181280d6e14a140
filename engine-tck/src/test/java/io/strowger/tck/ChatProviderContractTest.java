package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.Loss;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The contract of adapters")
class ChatProviderContractTest {
  /** What is wrong with an adapter. */
  private enum Bug {
    NONE,
    SENDS_OWN_USER,
    FORGETS_USER,
    SENDS_EVERY_PARAMETER,
    DROPS_SILENTLY,
    KEEPS_OWN_LIMIT,
    FORGETS_INSTRUCTIONS,
    ONLY_CHAT
  }

  /** An adapter that writes a body and never answers. */
  private record Adapter(Bug bug) implements ChatProvider {
    @Override
    public EventStream open(Call call) {
      throw new AssertionError("never asked");
    }

    @Override
    public Json body(Call call) {
      InferenceRequest request = call.request();
      var body = Json.object();
      String user = bug == Bug.SENDS_OWN_USER ? request.user() : call.endUser();
      if (user != null && bug != Bug.FORGETS_USER) {
        body.put("user", user);
      }
      boolean capped = call.outputCap() > 0 && bug != Bug.KEEPS_OWN_LIMIT;
      body.put("limit", capped ? call.outputCap() : request.maxOutputTokens());
      Json warmth = request.members().get("temperature");
      boolean supported = (call.endpoint().parameters() & Parameter.TEMPERATURE.bit()) != 0;
      if (warmth != null && (supported || bug == Bug.SENDS_EVERY_PARAMETER)) {
        body.put("temperature", warmth);
      } else if (warmth != null && bug != Bug.DROPS_SILENTLY) {
        call.losses().accept(new Loss("temperature", Loss.Kind.DROPPED, "not supported"));
      }
      return body.put("said", said(request)).build();
    }

    private String said(InferenceRequest request) {
      var said = new StringBuilder();
      Message first = request.instructions();
      if (first != null && bug != Bug.FORGETS_INSTRUCTIONS) {
        said.append(text(first));
      }
      if (bug != Bug.ONLY_CHAT || request.dialect() == Dialect.CHAT) {
        request.messages().forEach(message -> said.append(text(message)));
      }
      return said.toString();
    }

    private static String text(Message message) {
      var text = new StringBuilder();
      for (Part part : message.parts()) {
        text.append(part instanceof Part.Text said ? said.text().text() : "");
      }
      return text.toString();
    }

    @Override
    public void close() {}
  }

  private static final class ContractOf extends ChatProviderContract {
    private final Bug bug;

    ContractOf(Bug bug) {
      this.bug = bug;
    }

    @Override
    protected Upstream connect(TestAmbient ambient) {
      return new Connected(new Adapter(bug));
    }
  }

  private record Connected(ChatProvider provider) implements ChatProviderContract.Upstream {
    @Override
    public Endpoint endpoint() {
      return Given.endpoint("alpha", "author/model", "1");
    }

    @Override
    public void behave(UpstreamBehaviour behaviour) {}

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("takes one that sends what it must")
  void takes() {
    var contract = new ContractOf(Bug.NONE);
    assertThatCode(
            () -> {
              contract.endUser();
              contract.unsupportedParameter();
              contract.outputCap();
              contract.everyDialect();
            })
        .doesNotThrowAnyException();
  }

  @Test
  @DisplayName("refuses one that sends the caller's own user, or forgets the user")
  void users() {
    refused(new ContractOf(Bug.SENDS_OWN_USER)::endUser);
    refused(new ContractOf(Bug.FORGETS_USER)::endUser);
  }

  @Test
  @DisplayName("refuses one that sends what is not supported, or drops it silently")
  void parameters() {
    refused(new ContractOf(Bug.SENDS_EVERY_PARAMETER)::unsupportedParameter);
    refused(new ContractOf(Bug.DROPS_SILENTLY)::unsupportedParameter);
  }

  @Test
  @DisplayName("refuses one that keeps the request's own limit")
  void limits() {
    refused(new ContractOf(Bug.KEEPS_OWN_LIMIT)::outputCap);
  }

  @Test
  @DisplayName("refuses one that forgets instructions, or a dialect")
  void dialects() {
    refused(new ContractOf(Bug.FORGETS_INSTRUCTIONS)::everyDialect);
    refused(new ContractOf(Bug.ONLY_CHAT)::everyDialect);
  }

  private static void refused(Runnable check) {
    assertThatThrownBy(check::run).isInstanceOf(AssertionError.class);
  }
}
