<h2>Start</h2>
<ul>
<@item "README.html" "Overview"/>
<@item "docs/quickstart.html" "Quickstart"/>
<@item "docs/tutorial.html" "Tutorial"/>
<@item "docs/concepts.html" "Concepts"/>
<@item "docs/rewards.html" "Rewards"/>
<@item "docs/glossary.html" "Glossary"/>
<@item "docs/faq.html" "Questions"/>
</ul>
<h2>Decide and measure</h2>
<ul>
<@item "docs/policies/README.html" "Choose a policy"/>
<@item "docs/policies/tabular.html" "Policies over cells"/>
<@item "docs/policies/linear.html" "Linear policies"/>
<@item "docs/policies/logistic.html" "Logistic policies"/>
<@item "docs/policies/allocation.html" "Allocation"/>
<@item "docs/policies/law.html" "What a certificate is about"/>
<@item "docs/policies/causal-bounds.html" "Causal bounds"/>
<@item "docs/best-arm.html" "Best-arm experiments"/>
<@item "docs/best-arm-report.html" "Report of an experiment"/>
<@item "docs/choose-tau.html" "Choose a limit"/>
<@item "docs/plan.html" "Plan"/>
<@item "docs/simulate.html" "Simulate"/>
<@item "docs/evaluate.html" "Evaluate"/>
<@item "docs/watch.html" "Try a policy before it decides"/>
<@item "docs/causal.html" "Ask a causal graph"/>
<@item "docs/where-a-gap-comes-from.html" "Where a gap comes from"/>
<@item "docs/math/cells.html" "Mathematics of cells"/>
<@item "docs/math/weighted-sums.html" "Mathematics of weighted sums"/>
<@item "docs/math/logistic.html" "Mathematics of logistic policies"/>
<@item "docs/math/earn-while-certifying.html" "Mathematics of exploration"/>
<@item "docs/math/causal-bounds.html" "Mathematics of causal bounds"/>
<@item "docs/math/effect-split.html" "Mathematics of the effect split"/>
<@item "docs/math/refutation.html" "Mathematics of refutation"/>
<@item "docs/math/watch.html" "Mathematics of challengers and groups"/>
<@item "docs/math/best-arm.html" "Mathematics of best-arm experiments"/>
<@item "docs/math/allocation.html" "Mathematics of allocation matching"/>
<@item "docs/math/papers.html" "Papers and their errata"/>
</ul>
<h2>Run</h2>
<ul>
<@item "docs/flink-cluster.html" "Deploy to a Flink cluster"/>
<@item "docs/kubernetes.html" "Kubernetes"/>
<@item "docs/operations.html" "Operations"/>
<@item "docs/limits.html" "Limits"/>
<@item "docs/compatibility.html" "Compatibility"/>
<@item "docs/console.html" "Console"/>
<@item "docs/report.html" "Fairness report"/>
<@item "docs/spec-changes.html" "Spec changes"/>
<@item "docs/arms-that-change-daily.html" "Arms that change daily"/>
<@item "docs/delivery.html" "Delivery"/>
<@item "docs/gateway.html" "Decisions over HTTP"/>
<@item "docs/clients.html" "Clients"/>
<@item "docs/personalizer.html" "From Azure Personalizer"/>
<@item "docs/integrations.html" "Integrations"/>
<@item "docs/lake.html" "Parquet and Iceberg"/>
<@item "docs/backup.html" "Backup and restore"/>
<@item "docs/fault-injection.html" "Fault injection"/>
<@item "docs/benchmarks.html" "Benchmarks"/>
<@item "docs/benchmarks-library.html" "Library benchmarks"/>
</ul>
<h2>Prove and protect</h2>
<ul>
<@item "docs/promises.html" "Promises"/>
<@item "docs/verify.html" "Verify a log"/>
<@item "docs/verify-limits.html" "Limits of verification"/>
<@item "docs/privacy.html" "Privacy"/>
<@item "docs/privacy-fields.html" "Hidden fields"/>
<@item "docs/security/README.html" "Security"/>
<@item "docs/security/threat-model.html" "Threat model"/>
</ul>
<h2>Reference</h2>
<ul>
<@item "docs/reference/spec.html" "Segment spec"/>
<@item "docs/reference/spec-policy.html" "Spec: policies"/>
<@item "docs/reference/options.html" "Options"/>
<@item "docs/reference/topics.html" "Topics"/>
<@item "docs/reference/error-codes.html" "Error codes"/>
<@item "docs/reference/reasons.html" "Reasons and verdicts"/>
<@item "docs/reference/cli.html" "Commands"/>
<@item "docs/reference/cli-lab.html" "Commands of the lab"/>
<@item "docs/reference/metrics.html" "Metrics"/>
</ul>
<h2>The papers</h2>
<ul>
<@item "docs/replication/README.html" "Replication"/>
<@item "docs/replication/fucb.html" "D-UCB and F-UCB"/>
<@item "docs/replication/csr.html" "CSR"/>
<@item "docs/replication/cclb.html" "CCLB"/>
<@item "docs/replication/fair-linucb.html" "Fair-LinUCB"/>
<@item "docs/replication/pcb.html" "Causal bounds"/>
<@item "docs/replication/certificates.html" "Certificates"/>
</ul>
<h2>The code</h2>
<ul>
<@item "CONTRIBUTING.html" "Contributing"/>
<@item "docs/internals/architecture.html" "Architecture"/>
<@item "docs/internals/layout.html" "Layout"/>
<@item "docs/internals/state-layouts.html" "State layouts"/>
<@item "docs/internals/adding-a-policy.html" "Adding a policy"/>
<@item "docs/internals/recipes.html" "Recipes"/>
<@item "docs/internals/decisions.html" "Decisions"/>
<@item "docs/internals/not-done.html" "What we do not do"/>
<@item "CHANGELOG.html" "Changes"/>
</ul>
