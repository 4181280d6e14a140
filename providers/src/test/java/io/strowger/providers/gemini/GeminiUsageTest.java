package io.strowger.providers.gemini;

import static io.strowger.providers.gemini.GeminiTestRequest.jsonOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.model.Usage;
import io.strowger.tck.conformance.Proves;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The usage of the gemini dialect")
class GeminiUsageTest {
  private static Usage of(String members) {
    return GeminiUsage.of(jsonOf("{" + members + "}"), 0);
  }

  @Proves("translation.usage.gemini")
  @Test
  @DisplayName("has cached tokens within the prompt, and thoughts besides the candidates")
  void disjoint() {
    assertThat(
            of(
                "'promptTokenCount':1000,'cachedContentTokenCount':800,'candidatesTokenCount':50,"
                    + "'thoughtsTokenCount':120,'totalTokenCount':1170"))
        .isEqualTo(
            Usage.builder().freshInput(200).cacheRead(800).outputText(50).reasoning(120).build());
  }

  @Test
  @DisplayName("includes in the prompt what the upstream's tools added to it")
  void toolUse() {
    Usage usage = of("'promptTokenCount':10,'toolUsePromptTokenCount':90,'candidatesTokenCount':5");
    assertThat(usage.promptTokens()).isEqualTo(100);
    assertThat(usage.completionTokens()).isEqualTo(5);
  }

  @Test
  @DisplayName("has audio tokens separately, without the cached ones")
  void audio() {
    assertThat(
            of(
                "'promptTokenCount':500,'cachedContentTokenCount':100,'promptTokensDetails':["
                    + "{'modality':'TEXT','tokenCount':200},{'modality':'AUDIO','tokenCount':300}],"
                    + "'cacheTokensDetails':[{'modality':'AUDIO','tokenCount':60}],"
                    + "'candidatesTokenCount':40,'candidatesTokensDetails':["
                    + "{'modality':'AUDIO','tokenCount':30},{'modality':'TEXT','tokenCount':10}]"))
        .isEqualTo(
            Usage.builder()
                .freshInput(160)
                .inputAudio(240)
                .cacheRead(100)
                .outputText(10)
                .outputAudio(30)
                .build());
  }

  @Test
  @DisplayName("counts generated images as text")
  void images() {
    Usage usage =
        of(
            "'promptTokenCount':10,'candidatesTokenCount':1300,"
                + "'candidatesTokensDetails':[{'modality':'IMAGE','tokenCount':1290}]");
    assertThat(usage.outputText()).isEqualTo(1300);
    assertThat(usage.images()).isZero();
  }

  @Test
  @DisplayName("derives missing candidate tokens from the total")
  void fromTotal() {
    assertThat(of("'promptTokenCount':10,'thoughtsTokenCount':3,'totalTokenCount':20").outputText())
        .isEqualTo(7);
    assertThat(of("'promptTokenCount':10,'totalTokenCount':10").outputText()).isZero();
  }

  @Test
  @DisplayName("tolerates negative, too large and inconsistent numbers")
  void nonsense() {
    Usage usage =
        of(
            "'promptTokenCount':-5,'cachedContentTokenCount':7,'candidatesTokenCount':'x',"
                + "'thoughtsTokenCount':1e300,'promptTokensDetails':[1,{'modality':'AUDIO',"
                + "'tokenCount':50}]");
    assertThat(usage).isEqualTo(Usage.NONE);
    assertThat(of("'promptTokenCount':5,'cachedContentTokenCount':70").cacheRead()).isEqualTo(5);
  }
}
