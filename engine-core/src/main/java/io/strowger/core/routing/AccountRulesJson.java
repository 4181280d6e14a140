package io.strowger.core.routing;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The JSON form of {@link AccountRules} inside a routing query. */
final class AccountRulesJson {
  private AccountRulesJson() {}

  static Json.Obj write(AccountRules rules) {
    ProviderSort.Key sort = rules.defaultSort();
    return Json.object()
        .put("allowed_providers", lists(rules.allowedProviders()))
        .put("ignored_providers", RoutingQueryJson.strings(rules.ignoredProviders()))
        .put("allowed_models", lists(rules.allowedModels()))
        .put("ignored_models", RoutingQueryJson.strings(rules.ignoredModels()))
        .put("zdr", RoutingQueryJson.strings(rules.zdr()))
        .put("free_training", rules.allowsFreeTraining())
        .put("paid_training", rules.allowsPaidTraining())
        .putOrNull("default_sort", sort == null ? null : sort.name().toLowerCase(Locale.ROOT))
        .put("private_models", RoutingQueryJson.strings(rules.privateModels()))
        .build();
  }

  static AccountRules read(Json.Obj json) {
    var rules =
        AccountRules.builder()
            .ignoreProviders(RoutingQueryJson.list(json, "ignored_providers"))
            .ignoreModels(RoutingQueryJson.list(json, "ignored_models"))
            .zdr(RoutingQueryJson.list(json, "zdr"))
            .privateModels(RoutingQueryJson.list(json, "private_models"));
    lists(json, "allowed_providers").forEach(rules::allowProviders);
    lists(json, "allowed_models").forEach(rules::allowModels);
    if (!RoutingQueryJson.flag(json, "free_training")) {
      rules.denyFreeTraining();
    }
    if (!RoutingQueryJson.flag(json, "paid_training")) {
      rules.denyPaidTraining();
    }
    if (!Json.NULL.equals(json.get("default_sort"))) {
      String sort = RoutingQueryJson.text(json, "default_sort").toUpperCase(Locale.ROOT);
      rules.defaultSort(ProviderSort.Key.valueOf(sort));
    }
    return rules.build();
  }

  private static Json lists(List<List<String>> lists) {
    return Json.array(lists.stream().map(RoutingQueryJson::strings).toList());
  }

  private static List<List<String>> lists(Json.Obj json, String name) {
    Json.Arr items = json.list(name);
    if (items == null) {
      throw RoutingQueryJson.invalidMember(name);
    }
    var lists = new ArrayList<List<String>>();
    for (Json item : items) {
      lists.add(RoutingQueryJson.texts(item, name));
    }
    return lists;
  }
}
