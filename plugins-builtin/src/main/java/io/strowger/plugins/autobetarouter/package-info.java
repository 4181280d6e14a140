/**
 * The plugin auto-beta-router: the router under trial, for requests to router/auto-beta. Start
 * reading at {@link io.strowger.plugins.autobetarouter.AutoBetaRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.autobetarouter;

import org.jspecify.annotations.NullMarked;
