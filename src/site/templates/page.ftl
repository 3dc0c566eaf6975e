<#--
  One page of the site. The title is the first heading. Links to Markdown files lead to the pages made of them. Paths are relative, so the site
  works from the file system.
-->
<#assign root = content.rootpath!"">
<#assign body = content.body?replace('href="([^":#]+)\\.md(#[^"]*)?"', 'href="$1.html$2"', 'r')>
<#assign headings = body?matches('<h1>.*?</a></h1>', 's')>
<#assign title = "Equipoise">
<#list headings as heading><#assign title = heading?replace('<[^>]*>', '', 'r')><#break></#list>
<#assign here = content.uri>
<#macro item path name><li><a href="${root}${path}"<#if here == path> aria-current="page"</#if>>${name}</a></li></#macro>
<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}<#if title != "Equipoise"> · Equipoise</#if></title>
  <link rel="stylesheet" href="${root}site/site.css">
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to the text</a>
<header>
  <a class="name" href="${root}README.html">Equipoise</a>
  <form role="search" autocomplete="off">
    <input id="query" type="search" placeholder="Search the documentation" aria-label="Search the documentation" aria-controls="results">
    <ol id="results" hidden></ol>
  </form>
</header>
<div class="columns">
<nav aria-label="Pages">
<#include "menu.ftl">
</nav>
<main id="content">
${body}
</main>
<#assign sections = body?matches('<h2>.*?</a></h2>', 's')>
<#if (sections?size > 2)>
<aside aria-label="On this page">
  <p>On this page</p>
  <ul>
  <#list sections as section>
    <li>${section?replace('<h2><a href="([^"]*)" id="[^"]*">(.*)</a></h2>', '<a href="$1">$2</a>', 'rs')}</li>
  </#list>
  </ul>
</aside>
</#if>
</div>
<script src="${root}site/lunr.min.js"></script>
<script src="${root}site/search-index.js"></script>
<script src="${root}site/search.js"></script>
</body>
</html>
