package io.strowger.core.config;

import static io.strowger.core.config.TestConfigs.accept;
import static io.strowger.core.config.TestConfigs.minimal;
import static io.strowger.core.config.TestConfigs.withModel;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The rules of an account")
class AccountRulesTest {
  private static AccountRules rules(String account) {
    GatewayConfig config = accept(minimal("'account': {" + account + "}"));
    return config.account().rules(config.catalog());
  }

  @Test
  @DisplayName("allow everything if the account has none")
  void nothing() {
    assertThat(rules("")).isEqualTo(AccountRules.NONE);
    assertThat(rules("'guardrails': [{'name': 'g'}]")).isEqualTo(AccountRules.NONE);
  }

  @Proves({"routing.lists.guardrails", "open.7"})
  @Test
  @DisplayName("allow what the account and all guardrails allow (intersection)")
  void allowed() {
    AccountRules rules =
        rules(
            "'allowed_providers': ['a', 'b'], 'guardrails': [{'name': 'g', 'allowed_providers':"
                + " ['b', 'c'], 'allowed_models': ['acme/*']}, {'name': 'h', 'allowed_models':"
                + " ['acme/large']}]");
    assertThat(rules.allowedProviders()).containsExactly(List.of("a", "b"), List.of("b", "c"));
    assertThat(rules.allowedModels()).containsExactly(List.of("acme/*"), List.of("acme/large"));
  }

  @Proves({"routing.lists.ignore", "routing.lists.guardrails"})
  @Test
  @DisplayName("ignore what the account or any guardrail ignores (union)")
  void ignored() {
    AccountRules rules =
        rules(
            "'ignored_providers': ['a'], 'guardrails': [{'name': 'g', 'ignored_providers': ['b',"
                + " 'a'], 'ignored_models': ['acme/large']}]");
    assertThat(rules.ignoredProviders()).containsExactly("a", "b");
    assertThat(rules.ignoredModels()).containsExactly("acme/large");
  }

  @Proves({"routing.lists.guardrails", "routing.lists.ZD-1"})
  @Test
  @DisplayName("require zero data retention for a model group if one of them requires it (ZD-1)")
  void zdr() {
    assertThat(
            rules(
                    "'zdr': ['xai'], 'guardrails': [{'name': 'g', 'enforce_zdr_google': true,"
                        + " 'enforce_zdr_openai': false}]")
                .zdr())
        .containsExactlyInAnyOrder("xai", "google");
    assertThat(rules("'guardrails': [{'name': 'g', 'enforce_zdr': true}]").zdr())
        .containsExactlyInAnyOrder("anthropic", "openai", "google", "xai", "other");
    assertThat(
            rules("'guardrails': [{'name': 'g', 'enforce_zdr': true, 'enforce_zdr_xai': false}]")
                .zdr())
        .as("the old member enforce_zdr applies to the groups that are not set")
        .containsExactlyInAnyOrder("anthropic", "openai", "google", "other");
  }

  @Proves("routing.lists.training")
  @Test
  @DisplayName("forbid training only if a guardrail sets it to false")
  void training() {
    AccountRules unset =
        rules(
            "'guardrails': [{'name': 'g', 'enable_free_model_training': null,"
                + " 'enable_paid_model_training': true}]");
    assertThat(unset.allowsFreeTraining()).isTrue();
    assertThat(unset.allowsPaidTraining()).isTrue();
    assertThat(
            rules("'guardrails': [{'name': 'g', 'enable_free_model_training': false}]")
                .allowsFreeTraining())
        .isFalse();
    assertThat(
            rules("'guardrails': [{'name': 'g', 'enable_paid_model_training': false}]")
                .allowsPaidTraining())
        .isFalse();
  }

  @Test
  @DisplayName("have the account's default sort")
  void sort() {
    assertThat(rules("'default_sort': 'exacto'").defaultSort()).isEqualTo(ProviderSort.Key.EXACTO);
  }

  @Proves("routing.other.private")
  @Test
  @DisplayName("allow the private models of the configuration file")
  void privateModels() {
    GatewayConfig config = accept(withModel("'private': true"));
    assertThat(config.account().rules(config.catalog()).privateModels())
        .containsExactly("acme/large");
  }

  @Test
  @DisplayName("have a warning for each member of guardrails that has no effect yet")
  void withoutEffect() {
    GatewayConfig config =
        accept(
            minimal(
                "'account': {'guardrails': [{'name': 'g', 'enforce_zdr': true, 'limit_usd': 5,"
                    + " 'enable_free_model_publication': false,"
                    + " 'content_filters': [{'pattern': 'x', 'action': 'block'}]}]}"));
    assertThat(config.unusedMemberWarnings())
        .containsExactly(
            "account.guardrails.enable_free_model_publication has no effect yet: nothing is"
                + " limited by it");
  }

  @Test
  @DisplayName("let the listed API keys use a BYOK key, or all keys if none is listed")
  void keys() {
    String hash = "0".repeat(63) + "1";
    List<ByokKey> keys =
        accept(
                minimal(
                    "'byok_keys': [{'id': 'k1', 'provider': 'alpha', 'key': 'own', 'is_fallback':"
                        + " true, 'sort_order': 3, 'always_use': true, 'allowed_models':"
                        + " ['acme/large']}, {'id': 'k2', 'provider': 'alpha', 'key': 'own2',"
                        + " 'allowed_api_key_hashes': ['"
                        + hash
                        + "']}]"))
            .byokKeys();
    KeyId named = new KeyId(0, 0, 0, 1);
    KeyId other = new KeyId(0, 0, 0, 2);
    assertThat(keys.get(0).toRef())
        .isEqualTo(new ByokKeyRef("k1", "alpha", true, 3, true, List.of("acme/large")));
    ByokKey.KeyAudience unrestricted = keys.get(0).use().audience();
    ByokKey.KeyAudience oneKey = keys.get(1).use().audience();
    assertThat(unrestricted.admitsAll()).isTrue();
    assertThat(unrestricted.admits(other, "u", "w")).isTrue();
    assertThat(oneKey.admitsAll()).isFalse();
    assertThat(oneKey.admits(named, "u", "w")).isTrue();
    assertThat(oneKey.admits(other, "u", "w")).isFalse();
  }

  @Test
  @DisplayName("can restrict a BYOK key to users or to one workspace")
  void audiences() {
    KeyId key = new KeyId(0, 0, 0, 1);
    var users = new ByokKey.KeyAudience(null, List.of("eve"), null);
    assertThat(users.admitsAll()).isFalse();
    assertThat(users.admits(key, "eve", "w")).isTrue();
    assertThat(users.admits(key, "bob", "w")).isFalse();
    var workspace = new ByokKey.KeyAudience(null, null, "w");
    assertThat(workspace.admitsAll()).isFalse();
    assertThat(workspace.admits(key, "eve", "w")).isTrue();
    assertThat(workspace.admits(key, "eve", "v")).isFalse();
  }
}
