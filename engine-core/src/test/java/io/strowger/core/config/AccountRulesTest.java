package io.strowger.core.config;

import static io.strowger.core.config.ConfigWords.accepted;
import static io.strowger.core.config.ConfigWords.minimal;
import static io.strowger.core.config.ConfigWords.withModel;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.routing.AccountRules;
import io.strowger.core.routing.ByokKeyRef;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.store.KeyId;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an account allows")
class AccountRulesTest {
  private static AccountRules rules(String account) {
    GatewayConfig config = accepted(minimal("'account': {" + account + "}"));
    return config.account().rules(config.catalog());
  }

  @Test
  @DisplayName("is everything when it says nothing")
  void nothing() {
    assertThat(rules("")).isEqualTo(AccountRules.NONE);
    assertThat(rules("'guardrails': [{'name': 'g'}]")).isEqualTo(AccountRules.NONE);
  }

  @Proves({"routing.lists.guardrails", "open.7"})
  @Test
  @DisplayName("is what the account and every guardrail allow (intersection)")
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
  @DisplayName("is not what one of them ignores (union)")
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
  @DisplayName("retains nothing for a group of models as soon as one of them says so (ZD-1)")
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
        .as("the old switch stands for those that are not set")
        .containsExactlyInAnyOrder("anthropic", "openai", "google", "other");
  }

  @Proves("routing.lists.training")
  @Test
  @DisplayName("forbids training only where it says so in so many words")
  void training() {
    AccountRules silent =
        rules(
            "'guardrails': [{'name': 'g', 'enable_free_model_training': null,"
                + " 'enable_paid_model_training': true}]");
    assertThat(silent.allowsFreeTraining()).isTrue();
    assertThat(silent.allowsPaidTraining()).isTrue();
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
  @DisplayName("is sorted as the account says when a request does not")
  void sort() {
    assertThat(rules("'default_sort': 'exacto'").defaultSort()).isEqualTo(ProviderSort.Key.EXACTO);
  }

  @Proves("routing.other.private")
  @Test
  @DisplayName("includes the private models of its own file")
  void privateModels() {
    GatewayConfig config = accepted(withModel("'private': true"));
    assertThat(config.account().rules(config.catalog()).privateModels())
        .containsExactly("acme/large");
  }

  @Test
  @DisplayName("says which members of guardrails have no effect yet")
  void withoutEffect() {
    GatewayConfig config =
        accepted(
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
  @DisplayName("lends its keys to whom it names, or to everybody")
  void keys() {
    String hash = "0".repeat(63) + "1";
    List<ByokKey> keys =
        accepted(
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
    ByokKey.KeyAudience all = keys.get(0).use().audience();
    ByokKey.KeyAudience one = keys.get(1).use().audience();
    assertThat(all.admitsAll()).isTrue();
    assertThat(all.admits(other, "u", "w")).isTrue();
    assertThat(one.admitsAll()).isFalse();
    assertThat(one.admits(named, "u", "w")).isTrue();
    assertThat(one.admits(other, "u", "w")).isFalse();
  }

  @Test
  @DisplayName("lets a customer's own key be used by some users and in one workspace only")
  void bearers() {
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
