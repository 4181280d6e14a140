package io.strowger.core.plan;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.plugin.ModelSet;
import java.util.List;
import java.util.StringJoiner;

/** Drops models that are not in every list of allowed ones the account has. */
final class AccountAllowedModelsRule implements EndpointRule {
  @Override
  public String name() {
    return "account.allowed_models";
  }

  @Override
  public Test compile(RuleContext context) {
    Test test = Test.KEEPS_ALL;
    for (List<String> ceiling : context.query().account().allowedModels()) {
      ModelSet allowed = context.index().matching(ceiling);
      Test others = test;
      test = endpoint -> !allowed.contains(endpoint.modelOrdinal()) || others.drops(endpoint);
    }
    return test;
  }

  @Override
  public String reason(Endpoint endpoint, RuleContext context) {
    var sentences = new StringJoiner("; ");
    for (List<String> allowed : context.query().account().allowedModels()) {
      sentences.add("permits " + NameFormatter.shown(allowed));
    }
    return sentences.toString();
  }

  @Override
  public ErrorCode errorCode() {
    return ErrorCode.NO_ENDPOINTS;
  }

  @Override
  public Subject subject() {
    return Subject.ACCOUNT;
  }
}
